"""Which devices kernels are compiled for: one setting, --//bazel:cuda=VALUE, read by cuda.bzl.

  one   sm_90, and PTX that newer devices translate: short builds, the default
  all   sm_80 too
  NN    the device of compute capability N.N, at least 80, and no other
  none  no kernels: every function that would run on a device answers that there is none

Without a toolkit all values mean none. A device that the toolkit has no code for gets the PTX.
"""

load("@local_config_cuda//:defs.bzl", "CUDA_CODES", "CUDA_PATH")

CudaKernelsInfo = provider(fields = ["gencode"])

_SM_90 = ["-gencode=arch=compute_90,code=[sm_90,compute_90]"]
_GENCODE = {
    "none": [],
    "one": _SM_90,
    "all": ["-gencode=arch=compute_80,code=sm_80"] + _SM_90,
}

def _gencode(value):
    if value in _GENCODE:
        return _GENCODE[value]
    if not value.isdigit() or int(value) < 80:
        fail("--//bazel:cuda=%s: not one, all, none or a compute capability from 80 on" % value)
    if "sm_" + value not in CUDA_CODES:
        return _SM_90
    return ["-gencode=arch=compute_{0},code=sm_{0}".format(value)]

def _setting_impl(ctx):
    return [CudaKernelsInfo(gencode = _gencode(ctx.build_setting_value) if CUDA_PATH else [])]

cuda_kernels = rule(implementation = _setting_impl, build_setting = config.string(flag = True))

def _kind_impl(ctx):
    gencode = ctx.attr.setting[CudaKernelsInfo].gencode
    sm_90 = [option for option in gencode if "sm_90" in option]
    return [config_common.FeatureFlagInfo(value = "hopper" if sm_90 else "other" if gencode else "none")]

# For config_setting: none, hopper where sm_90 is among the devices, other.
cuda_kernels_kind = rule(
    implementation = _kind_impl,
    attrs = {"setting": attr.label(providers = [CudaKernelsInfo])},
)
