import type { LocalizableMessage } from '#base/text/localizableMessage.ts';
import { maskRunSecrets, type Secrets } from '#runs/request/secrets.ts';
import type { PinnedJudge } from '../results/caseResult.ts';

/** Outcome of a check before `not` is applied. */
export interface Verdict {
	readonly holds: boolean;
	/** True if there is nothing to decide by, such as a judge's reply without a grade. The check then fails, also with `not`. */
	readonly isUndecided?: boolean;
	/** Sentence without its period, with `not` applied: `'priority' should equal "high"`. */
	readonly expectation: LocalizableMessage;
	/** Sentence about what the run has instead. Default: the actual value. */
	readonly found?: LocalizableMessage;
	/** Expected value for a diff, if any. */
	readonly expected?: unknown;
	readonly actual?: unknown;
	/** Score from 0 to 1. Default: 1 if `holds`, otherwise 0. */
	readonly score?: number;
	/** Reason given by a judge or expression, for any outcome. */
	readonly reason?: string;
	readonly judgeTokens?: number;
	readonly judge?: PinnedJudge;
	/** Name of the snapshot for accepting the actual value. */
	readonly snapshot?: string;
}

/** Maximum length of a value in messages. */
const longest = 200;

/** Formats a value for messages. */
export type Show = (value: unknown) => string;

/** Creates a formatter that masks secrets before it shortens a value, so that no part of a secret remains. */
export function createValueFormatter(secrets: () => Secrets): Show {
	return given => {
		const value = maskRunSecrets(given, secrets());
		if (typeof value === 'string' && value.length > longest) {
			return `${JSON.stringify(value.slice(0, longest))}…`;
		}
		const text = value === undefined ? 'nothing' : JSON.stringify(value);
		return text.length > longest ? `${text.slice(0, longest)}…` : text;
	};
}
