import type { Rule } from 'eslint';

export declare const unclobberedReads: Rule.RuleModule;
