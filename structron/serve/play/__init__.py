"""The playground: the routes of its page, besides predictions."""
