from collections import NotAThing
