"""Cases that people who do this job have run into, each as an end-to-end test over small documents, or where its test stands.

Most rows name a test of this folder; a row with another place is tested there and not written twice. F1, F2 and F3 are in `homes.py`.

| case | right behavior | test |
| --- | --- | --- |
| INC-02 | what was deleted is refused, with no evidence | `test_query.py::test_a_deleted_document_answers_nothing_more`, `test_inc.py::test_inc_02_*` |
| INC-04 | after an edit the graph holds exactly the rooms of the new version | `test_inc.py::test_inc_04_*`, `stores/test_knowledge.py` |
| INC-05 | a changed year is what is computed with and cited | `test_inc.py::test_inc_05_*`, `test_query.py`, `answering/test_years.py` |
| INC-06 | a second refresh is a clean no-op | `test_inc.py::test_inc_06_and_34_*`, `test_cli.py::test_a_refresh_tells_every_product_*` |
| INC-08 | an empty store is built, an older one is named or published anew | `test_inc.py::test_inc_08_*`, `test_cli.py::test_a_work_file_of_another_layout_*` |
| INC-12 | ids are relative paths, citations show the folder | `test_inc.py::test_inc_12_and_13_*` |
| INC-13 | documents in are documents out, or the run fails | `test_inc.py::test_inc_12_and_13_*`, `test_inc_13_*`, `stores/test_export.py` (`documents_left_out`) |
| INC-17 | a suppressed entity leaves every store, and comes back | `test_inc.py::test_inc_17_*`, `stores/test_knowledge.py` |
| INC-19 | a description stands on surviving evidence alone | `test_inc.py::test_inc_19_*`, `test_query.py::test_an_attribute_*` |
| INC-24 | an entity that survives as an object stays | `test_inc.py::test_inc_24_*` |
| INC-28 | an answer is kept for its generation alone | `test_inc.py::test_inc_28_*`, `test_query.py::test_the_first_build_*`, `stores/test_answers.py` |
| INC-32 | one sentence three times is one edge with three spans | `test_inc.py::test_inc_32_*` |
| INC-34 | a touched file is no change | `test_inc.py::test_inc_06_and_34_*`, `refresh/test_incremental.py::test_touching_files_*` |
| INC-35 | a blank page leaves communities and summaries untouched | `test_inc.py::test_inc_35_*`, `indexing/test_parse.py` |
| INC-36 | readers see old or new, an edit meanwhile is seen next, what did not land is failed | `test_inc.py::test_inc_36_*` |
| LCK-03 | readers in two processes answer while a third builds; a second writer is told of the first | `test_lck.py::test_lck_03_*`, `test_cli.py::test_a_running_refresh_*` |
| LCK-05 | killed while a store is written: recovered, and told | `test_lck.py::test_lck_05_*`, `refresh/test_killed.py`, `stores/test_tables.py`, `stores/test_vectors.py` |
| LCK-06 | one writer, batched, whatever the workers | `test_lck.py::test_lck_06_*` |
| LCK-09 | written is counted against meant, what stands on nothing is named | `test_lck.py::test_lck_09_*`, `stores/test_export.py`, `stores/test_graph.py` |
| LCK-10 | paths in a large graph keep to their limits | `stores/test_graph.py::test_a_large_graph_*`, `test_lck.py::test_lck_10_*` |
| LCK-12 | odd names are stored and found verbatim | `test_lck.py::test_lck_12_*`, `stores/test_graph.py`, `stores/test_knowledge.py` |
| LCK-13 | two homes in one process share nothing | `test_lck.py::test_lck_13_*`, `stores/test_graph.py::test_two_homes_*`, `test_query.py::test_threads_*` |
| RES-01 | a server that slows down is waited for as long as it asks, and nothing is lost | `test_chat.py::test_res_01_*`, `models/chat/test_client.py::test_retry_after_*`, `test_chat_build.py::test_res_01_*` |
| RES-04 | a failed unit is the one that the rerun computes | `test_res.py::test_res_04_*`, `test_chat.py::test_res_04_*`, `refresh/test_products.py::test_a_failing_document_*`, `test_chat_build.py::test_res_04_*` |
| RES-05 | killed while files are read, each is known or not, never by half | `test_res.py::test_res_05_and_06_and_07_*` |
| RES-06 | pending work is taken up without a new file | `test_res.py::test_res_05_and_06_and_07_*`, `refresh/test_killed.py` |
| RES-07 | a killed refresh is abandoned, a rerun is allowed | `test_res.py::test_res_07_*`, `test_cli.py::test_a_killed_refresh_*`, `stores/test_locks.py` |
| RES-08 | a canceled run tries nothing again | `test_chat.py::test_res_08_*` |
| RES-10 | another summary model, or other settings of summaries, make only summaries and reports anew | `test_res.py::test_res_10_*`, `test_chat_build.py::test_res_10_*` |
| RES-12 | an empty file gives an explicit empty result | `test_res.py::test_res_12_*` |
| RES-14 | ten thousand documents make no partition; loading is measured | `test_res.py::test_res_14_*` |
| RES-15 | the rows of a deleted document leave every store | `test_res.py::test_res_15_*`, `refresh/test_products.py::test_nothing_of_a_deleted_document_*` |
| LNG-01, LNG-02 | UTF-8 with its mark and UTF-16 with and without give the same document | `test_lng.py::test_lng_01_02_*`, `indexing/test_decode.py` |
| LNG-03 | no locale changes a text or ends a run | `test_lng.py::test_lng_03_*` (slow), `test_cli.py::test_no_encoding_of_the_console_*`, `test_lng.py::test_a_question_with_lone_surrogates_*` |
| LNG-04 | a name that is no UTF-8 is skipped, a lone surrogate replaced and counted | `test_lng.py::test_lng_04_*`, `stores/test_corpus.py`, `indexing/test_decode.py` |
| LNG-06, LNG-08 | names and summaries of a Chinese or Japanese text are spans of it | `test_lng.py::test_lng_06_*`, `test_lng_08_*` |
| LNG-10 | without a line end Chinese is cut at its stops, within the cap | `test_lng.py::test_lng_10_*`, `indexing/test_chunk.py` |
| LNG-12 | emoji and ideographs stay whole at every boundary | `test_lng.py::test_lng_12_*` |
| LNG-13 | Chinese is never read by an English parser; its profile names the language | `test_lng.py::test_lng_13_*`, `models/test_tagger.py`, `indexing/test_extract.py` |
| LNG-15 | a direction mark inside a name hides nothing | `test_lng.py::test_lng_15_*`, `test_lexical.py` |
| EXT-01 | a chatty reply is read and kept for audit, a broken one fails its unit alone after one repair | `test_chat.py::test_ext_01_*`, `models/chat/test_parsing.py`, `models/chat/test_client.py` |
| EXT-03 | a report that failed is missed and told, and made by the next refresh | `test_chat_build.py::test_ext_03_*` |
| EXT-05 | one broken chunk fails alone, and is asked for again alone | `test_chat_build.py::test_ext_05_*`, `test_too_many_failures_*` |
| EXT-08 | two good items of three are kept, the third stands aside with its reason | `indexing/asking/test_extract.py::test_ext_08_*` |
| EXT-09 | items of another shape are rejected with a reason | `indexing/asking/test_extract.py::test_ext_09_*` |
| EXT-11 | a model that reads nothing is told | `test_chat_build.py::test_ext_11_*` |
| EXT-13 | a name with parentheses stays whole | `indexing/asking/test_extract.py::test_ext_13_*` |
| EXT-21 | a prompt with a malformed, unknown or missing place is refused when it is loaded | `prompts/test_load.py::test_a_malformed_prompt_*` |
| ENT-06 | names of two languages are one where a text says so, not by guess | `test_ent.py::test_ent_06_*`, `indexing/extraction/test_aliases.py` |
| ENT-07 | an entity of two types is one node with both and their counts | `stores/test_knowledge.py::test_one_name_of_two_types_*`, `stores/test_typing.py` |
| ENT-09 | a heading joins nothing, every document keeps its evidence | `test_ent.py::test_ent_09_*` |
| ENT-12 | 500 sources of one name are 500 rows, and no field grows | `test_ent.py::test_ent_12_*` |
| COM-03 | whatever comes late, communities and reports are the same | `test_com.py::test_com_03_*`, `indexing/test_cluster.py::test_any_graph_gives_*`, `indexing/test_report.py`, `test_chat_build.py::test_com_03_*` |
| COM-05 | a hub of 300 keeps the bounds, its report the budget, and what found no place is counted | `test_com.py::test_com_05_*`, `indexing/test_cluster.py`, `indexing/test_report.py` |
| SIZ-04 | an empty folder says so, an emptied one erases nothing | `test_siz.py::test_siz_04_*`, `refresh/test_products.py`, `test_cli.py::test_an_emptied_corpus_*` |
| SIZ-09 | two letters far apart are two chunks at most, at once | `test_siz.py::test_siz_09_*`, `test_hostile_files_*`, `indexing/test_chunk.py` |
| SIZ-11 | many vectors: memory bounded, neighbors capped | `stores/test_vectors.py::test_many_vectors_*` |
| SIZ-13 | a novel completes and its progress moves | `test_siz.py::test_siz_13_*` (slow), `benchmarks/build.py novel` |
| SIZ-14, SIZ-15 | the thousandth file and the fiftieth run cost what the first ones did | `test_siz.py::test_siz_14_*`, `test_siz_15_*` (slow) |
| SIZ-16 | more workers than work change nothing | `test_siz.py::test_siz_16_*`, `refresh/test_mapper.py` |
| SIZ-17 | a window above the embedder's is refused, a larger chunk is embedded in passages | `test_siz.py::test_siz_17_*` |
| IDS-01 | three builds, the same ids | `test_ids.py::test_ids_01_*` |
| IDS-03 | a name met again is the same entity | `test_ids.py::test_ids_03_*` |
| IDS-06 | after an insertion at the top nearly all chunks keep their ids | `test_ids.py::test_ids_06_*`, `indexing/test_chunk.py` |
| IDS-07 | a moved file is not read again and is cited by its new name | `test_ids.py::test_ids_07_*`, `refresh/test_incremental.py::test_renaming_*` |
| INP-02 | a bad line is named, the others load | `test_inp.py::test_inp_02_*`, `indexing/test_parse.py` |
| INP-04 | a text is no file of questions, a file no corpus: said in one line | `test_inp.py::test_inp_04_*` |
| INP-05 | what is mis-named, empty or binary is skipped by name | `test_inp.py::test_inp_05_*`, `indexing/test_parse.py`, `indexing/formats` |
| INP-06 | chapters of an EPUB in spine order | `indexing/formats/test_archives_and_marks.py` |
| INP-08 | what a script names is nowhere | `test_inp.py::test_inp_08_*`, `indexing/test_parse.py` |
| INP-09 | a PDF of images is skipped | `indexing/formats/test_pdf.py` |
| INP-12 | line ends make no other document | `test_inp.py::test_inp_12_*` |
| INP-13 | hash and text come from one read | `test_inp.py::test_inp_13_*` |
| SEC-02 | hostile ids, names, questions and texts are data in every store | `test_sec.py::test_sec_02_*`, `test_a_hostile_*`, `test_instructions_*`, `test_no_path_*` |
| CTX-01 | evidence is packed by rank into the window, and no provider complains | `test_chat.py::test_ctx_01_*`, `answering/test_generative.py::test_evidence_is_packed_*`, `indexing/asking/test_accounts.py::test_ctx_01_*` |
| CTX-04 | a hub of 500 is reported within the window, and its coverage is kept | `indexing/asking/test_accounts.py::test_ctx_04_*` |
| EMB-04 | a vector of another length fails with both lengths | `test_query.py::test_a_vector_of_another_length_*` |
| QRY-05 | what the model knows and the text does not say is refused | `test_chat.py::test_qry_05_*`, `test_query.py::test_a_year_that_was_taken_out_*` |
| QRY-09 | a citation that exists and does not say it is no support | `test_chat.py::test_qry_09_*`, `answering/test_support.py` |
| CST-02 | calls and tokens of a build by asset and by document | `test_chat_build.py::test_cst_02_*` |
| CST-03 | and by prompt | `test_chat_build.py::test_cst_02_03_*` |
| CST-04 | a build stops at its cap, and goes on without paying twice | `test_chat_build.py::test_cst_04_*` |
| CST-05 | what was expected and what was spent, and the ratio within a band | `test_chat_build.py::test_cst_02_03_and_05_*` |
| CST-06 | without a model everything runs here, and no token is spent | `test_chat.py::test_cst_06_*`, `test_offline.py` |
"""
