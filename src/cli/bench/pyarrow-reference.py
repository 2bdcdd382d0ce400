"""Writes the same Parquet files again with pyarrow on one core; prints how long writing took. Usage: FOLDER"""

import glob
import json
import os
import sys
import time

import pyarrow
import pyarrow.parquet as parquet

pyarrow.set_cpu_count(1)
seconds, size = 0.0, 0
for path in sorted(glob.glob(os.path.join(sys.argv[1], "*.parquet"))):
    source = parquet.ParquetFile(path)
    target = path + ".pyarrow"
    writer = parquet.ParquetWriter(target, source.schema_arrow, compression="snappy", use_dictionary=False)
    for group in range(source.num_row_groups):
        table = source.read_row_group(group, use_threads=False)
        start = time.perf_counter()
        writer.write_table(table)
        seconds += time.perf_counter() - start
    start = time.perf_counter()
    writer.close()
    seconds += time.perf_counter() - start
    size += os.path.getsize(target)
    os.remove(target)
print(json.dumps({"pyarrow": pyarrow.__version__, "seconds": seconds, "bytes": size}))
