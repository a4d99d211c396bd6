// SPDX-License-Identifier: MIT
/** A recording of Tonbandgeraet, in base64, that calls most functions of the converter: names, switches of tasks, a delay. */
export const REHEARSED = 'BALoBwALBgFwcm9ncmVzcwAEXwFBAAdfCUlETEUABFRkCQAFVZYBAQAFVJgBAQAFWaoBBAAFVKwBCQA=';
