"""Systems compared with gold: question sets, metrics, the harness and its report. Gold stays in this wing."""
