"""The Collection tab: papers put in, listed, mapped, read and taken out."""
