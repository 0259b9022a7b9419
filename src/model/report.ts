/** Reports an error: a message of the error catalogue (spec C§8, S§8) and its cause. */
export type Report = (message: string, cause?: unknown) => void;
