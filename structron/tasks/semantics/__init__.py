"""Questions to forms, and forms to answers."""
