// The beginning of a target: TARGET_main, by which the package manager calls the `main` of a program. The runtime's own `main` would
// also be linked into the tool of the build plugin, and run instead of it.

int LLVMFuzzerRunDriver(int *count, char ***arguments, int (*run)(const char *, unsigned long));

__attribute__((weak)) int LLVMFuzzerTestOneInput(const char *start, unsigned long count) {
    (void)start, (void)count;
    return 0;
}

static int begin(int count, char **arguments) {
    return LLVMFuzzerRunDriver(&count, &arguments, LLVMFuzzerTestOneInput);
}

#define TARGET(name) int name##_main(int count, char **arguments) { return begin(count, arguments); }
