import atexit


def say(word, times=1):
    print(" ".join([word] * times))


atexit.register(say, "first registered, last run")
atexit.register(say, "bye", times=3)


@atexit.register
def cleanup():
    print("cleaning up")


cancelled = atexit.register(say, "never")
atexit.unregister(cancelled)
atexit.register(say, "registered again")
print("main is done")
