"""Yu, Huang, Mi & Zhao (2013), on captions."""
