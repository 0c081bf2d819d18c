"""Chinese of one script in the other, by OpenCC (extra ``scripts``)."""
