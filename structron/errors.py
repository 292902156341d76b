"""The errors a user may see: each is one sentence that says where, what, and what next."""


class StructronError(Exception):
    """Anything that structron refuses to do, said in one sentence."""


class DataError(StructronError):
    """Something is wrong in a data file: ``file:line: what; what next``."""


class ModelError(StructronError):
    """A model file is damaged, foreign or from another version."""


class SettingError(StructronError, ValueError):
    """A choice that is not possible, or a pair of choices that exclude each other."""


class TaskError(StructronError):
    """A user's search space or oracle breaks its contract."""


class StructronWarning(UserWarning):
    """Something that is allowed and most likely not meant."""


class ClusterError(StructronError):
    """Other machines do not answer, are not as they should be, or are lost too often."""
