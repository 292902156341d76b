"""scikit-learn's manners without scikit-learn: parameters are the constructor's arguments, as they came."""

from __future__ import annotations

import inspect
import sys
from typing import Any, Self

from structron.errors import SettingError


class NotFitted(SettingError, AttributeError):
    """Something that only `fit` or `load` gives; also an AttributeError, so that `hasattr` says no."""


def not_fitted(message: str) -> NotFitted:
    """An error to raise; where scikit-learn is in use, one that it knows as its own NotFittedError."""
    if "sklearn" not in sys.modules:
        return NotFitted(message)
    from sklearn.exceptions import NotFittedError

    kind = type("NotFitted", (NotFitted, NotFittedError), {"__module__": __name__})
    found: NotFitted = kind(message)
    return found


class Parameters:
    """`get_params`, `set_params`, `repr` and tags, so that `clone`, grid search and pipelines work."""

    @classmethod
    def _names(cls) -> list[str]:
        return [name for name in inspect.signature(cls.__init__).parameters if name != "self"]

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The constructor's arguments, by name."""
        return {name: getattr(self, name) for name in self._names()}

    def set_params(self, **params: Any) -> Self:
        """Change some of them."""
        for name, value in params.items():
            if name not in self._names():
                known = ", ".join(self._names())
                raise SettingError(
                    f"{type(self).__name__} has no parameter {name!r}; the parameters are {known}"
                )
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        usual = {name: p.default for name, p in inspect.signature(type(self).__init__).parameters.items()}
        said = [
            f"{name}={value!r}" for name, value in self.get_params().items() if str(value) != str(usual[name])
        ]
        return f"{type(self).__name__}({', '.join(said)})"

    def __sklearn_tags__(self) -> Any:
        # Only scikit-learn asks, so it can be imported.
        from sklearn.utils import InputTags, Tags, TargetTags

        return Tags(
            estimator_type=None,
            target_tags=TargetTags(required=True),
            input_tags=InputTags(two_d_array=False, one_d_array=True, string=True),
            no_validation=True,
        )

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "model_")
