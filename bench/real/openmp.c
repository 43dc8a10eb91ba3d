/* A parallel loop with a reduction, and a critical section. */
/* flags: -fopenmp */
#include <stdio.h>

int main(void) {
    long sum = 0, critical = 0;
#pragma omp parallel for num_threads(3) reduction(+ : sum)
    for (int i = 0; i < 300; ++i) sum += i;
#pragma omp parallel num_threads(3)
    {
#pragma omp critical
        ++critical;
    }
    printf("%ld %ld\n", sum, critical);
    return 0;
}
