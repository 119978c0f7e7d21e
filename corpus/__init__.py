"""Write side: from files of abstracts to a searchable collection."""
