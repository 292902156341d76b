// A watched search as Python reads it: structron.reference.Trace, and `show`.
#pragma once
#include "bind.hpp"
#include "search/trace.hpp"

nb::dict trace_out(const structron::Trace& trace);
