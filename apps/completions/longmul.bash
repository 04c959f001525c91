# Completions for bash of bigmul, bigmul-mpi, cryptobench and longmul-run: the options that --help prints, the
# values that an option takes, and files, @ before them included.

_longmul_values() {  # _longmul_values OPTION: its values, if they are words
    case $1 in
        -f | --from | -t | --to) printf 'decimal hex raw gmp' ;;
        --backend) printf 'ref cpu cuda' ;;
        --device) printf 'auto host 0' ;;
        --engine)
            printf 'schoolbook karatsuba toom3 tiled modular-fft complex-fft real-fft '
            printf 'complex-fft-f32 real-fft-f32'
            ;;
        --transport) printf 'auto mpi nccl nvshmem' ;;
        --radix) printf 'auto convert decimal' ;;
        --variant) printf 'portable avx2 avx512 ifma' ;;
        -n | --scheme)
            printf 'rsa-sign rsa-verify dh paillier-encrypt paillier-add paillier-decrypt '
            printf 'miller-rabin bpsw'
            ;;
    esac
}

_longmul() {
    local word=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD - 1]} values
    # bash takes --from=hex for three words.
    if [[ $word == = ]]; then
        word=
    elif [[ $option == = ]]; then
        option=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    values=$(_longmul_values "$option")
    if [[ -n $values ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$values" -- "$word")
    elif [[ $word == -* ]]; then
        values=$("$1" --help 2>/dev/null | grep -oE -- '(^|[ ,])--[a-z][a-z-]*' | tr -d ' ,')
        mapfile -t COMPREPLY < <(compgen -W "$values" -- "$word")
    elif [[ $word == @* ]]; then
        mapfile -t COMPREPLY < <(compgen -P @ -f -- "${word#@}")
    elif [[ $1 == *bigmul && $COMP_CWORD == 1 ]]; then
        values='product square quotient remainder power gcd root'
        mapfile -t COMPREPLY < <(compgen -W "$values" -- "$word")
    else
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
    fi
}

complete -F _longmul -o filenames bigmul bigmul-mpi cryptobench
complete -A command longmul-run
