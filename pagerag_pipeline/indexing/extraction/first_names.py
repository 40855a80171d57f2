"""Common first names by gender, as far as they are of one: enough to keep "he" from Mary. A name that stands nowhere here is of unknown gender."""

MALE = frozenset(
    "aaron abraham adam adrian alan albert alexander alfred andrew anthony archibald arthur august barry basil ben benjamin bernard bob brian bruce "
    "carl cecil charles charlie christopher clarence claude clifford colin daniel dave david dennis dick donald douglas duncan ed eddie edgar edmund "
    "edward edwin elijah eric ernest eugene felix ferdinand francis frank frederick gary geoffrey george gerald gilbert giles godfrey gordon graham "
    "greg gregory guy harold harry henry herbert herman horace howard hubert hugh hugo isaac jack jacob james jason jeff jeffrey jeremy jerome jim "
    "joe john jonathan joseph joshua julian justin karl keith kenneth kevin larry laurence lawrence leo leonard lewis lionel louis luke malcolm "
    "mark martin matthew maurice max michael mike miles nathan nathaniel ned neil nicholas nigel noah norman oliver oscar otto owen patrick paul "
    "percy peter philip pierre ralph randolph raymond reginald richard robert roger roland ronald rupert samuel scott sebastian sidney silas simon "
    "stanley stephen steve steven stuart ted theodore thomas tim timothy toby tom tony victor vincent walter wilfred will william winston".split()
)
FEMALE = frozenset(
    "abigail adelaide agatha agnes alice alison amanda amelia amy andrea angela anita ann anna anne annette audrey barbara beatrice bertha bessie "
    "betsy betty bridget carol caroline catherine cecilia charlotte christina christine clara clarissa claudia constance cynthia daisy daphne deborah "
    "diana dinah dora doris dorothea dorothy edith eleanor elinor eliza elizabeth ella ellen elsie emily emma esther ethel eva evelyn fanny felicity "
    "flora florence frances gertrude gladys grace greta hannah harriet helen henrietta hester hilda ida irene isabel isabella jane janet jean jennifer "
    "jenny jessica joan joanna josephine judith julia juliet karen kate katherine kathleen kitty laura lavinia lily linda lisa lizzie louisa louise "
    "lucy lydia mabel maggie marcia margaret maria marian marianne marie marion martha mary matilda maud meg mildred millicent miranda miriam molly "
    "nancy nina nora olive olivia ophelia pamela patricia pauline penelope phoebe phyllis polly priscilla rachel rebecca rhoda rosa rosalind rose "
    "ruth sally samantha sarah selina sophia sophie stella susan susanna sybil sylvia teresa theresa ursula victoria viola violet virginia winifred".split()
)
