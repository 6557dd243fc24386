"""Arrays by the size of their numbers, as signatures name them."""

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Shorts = NDArray[np.int32]
Codes = NDArray[np.int8]
Signs = NDArray[np.int8]
Bytes = NDArray[np.uint8]
Words = NDArray[np.uint64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
