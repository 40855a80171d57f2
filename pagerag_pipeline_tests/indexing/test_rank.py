"""Central sentences rank high, and a choice among them does not say one thing twice."""

import numpy as np
import pytest

from pagerag_pipeline.indexing.rank import centrality, choose, term_matrix


def dense(sentences: list[list[str]]) -> np.ndarray:
    """Cosines of all pairs, written out."""
    matrix = term_matrix(sentences)
    table = np.zeros((matrix.count, matrix.width))
    table[matrix.rows, matrix.columns] = matrix.values
    return table @ table.T


SENTENCES = [["mill", "grind", "rye"], ["mill", "river"], ["mill", "grind", "oat"], ["bee", "honey"], [], ["rye", "rye", "price"]]


def test_rows_have_length_one_and_likeness_is_the_cosine() -> None:
    cosines = dense(SENTENCES)
    assert np.diag(cosines) == pytest.approx([1, 1, 1, 1, 0, 1])
    matrix = term_matrix(SENTENCES)
    assert all(matrix.likeness(row) == pytest.approx(cosines[row]) for row in range(len(SENTENCES)))


def test_centrality_is_the_stationary_distribution_of_the_cosine_walk() -> None:
    cosines = dense(SENTENCES)
    own = np.array([True, True, True, True, False, True])
    walk = cosines[np.ix_(own, own)]
    walk = walk / walk.sum(axis=1, keepdims=True)
    jump = 0.85 * walk.T + 0.15 / own.sum()
    values, vectors = np.linalg.eig(jump)
    stationary = np.abs(np.real(vectors[:, np.argmax(np.real(values))]))
    scores = centrality(term_matrix(SENTENCES))
    assert scores[own] == pytest.approx(stationary / stationary.max(), abs=1e-4)
    assert scores[4] == 0


def test_sentences_without_any_term_are_all_equally_uncentral() -> None:
    assert centrality(term_matrix([[], []])).tolist() == [0, 0]


def test_a_choice_skips_what_is_said_already() -> None:
    matrix = term_matrix([["mill", "river"], ["mill", "river"], ["bee"], ["mill"]])
    chosen = choose(np.array([1.0, 0.9, 0.1, 0.2]), matrix, fits=lambda _: True, gain=lambda: np.zeros(4), most=4)
    assert chosen == [0, 2, 3]


def test_a_choice_ends_at_its_number_and_passes_over_what_does_not_fit() -> None:
    matrix = term_matrix([["a"], ["b"], ["c"], ["d"]])
    asked: list[int] = []

    def fits(index: int) -> bool:
        asked.append(index)
        return index != 1

    assert choose(np.array([1.0, 0.9, 0.8, 0.7]), matrix, fits=fits, gain=lambda: np.zeros(4), most=2) == [0, 2]
    assert asked == [0, 1, 2]


def test_equal_worth_goes_to_the_earlier_sentence() -> None:
    matrix = term_matrix([["a"], ["b"], ["c"]])
    assert choose(np.ones(3), matrix, fits=lambda _: True, gain=lambda: np.zeros(3), most=3) == [0, 1, 2]
