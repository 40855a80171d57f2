"""The products, one file each: the asset and its checks."""
