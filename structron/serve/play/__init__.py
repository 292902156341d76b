"""The playground: what its page asks for, besides predictions."""
