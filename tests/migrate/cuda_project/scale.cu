// Multiplies a tensor by a factor, in place.
#include <cuda_runtime.h>

__global__ void scale_kernel(float* values, float factor, int count) {
    int place = blockIdx.x * blockDim.x + threadIdx.x;
    if (place < count) values[place] *= factor;
}

void scale(float* values, float factor, int count, cudaStream_t stream) {
    scale_kernel<<<(count + 255) / 256, 256, 0, stream>>>(values, factor, count);
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess) cudaDeviceSynchronize();
}
