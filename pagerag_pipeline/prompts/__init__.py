"""Words for models: a text file and a reply schema per verb, and how they are loaded, filled and held against a reply. No call is made here."""
