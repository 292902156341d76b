"""The definition of learners and update methods."""
