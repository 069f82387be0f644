import { maskRunSecrets, type Secrets } from '#runs/request/secrets.ts';

/** How a check came out before `not` is applied. `expected` continues "expected it …": `to equal "high"`. */
export interface Verdict {
	readonly holds: boolean;
	/** What was looked at, as sentences name it. */
	readonly subject: string;
	readonly expectation: string;
	/** What there was, with its verb: `is "low"`; the actual value where it is absent. */
	readonly found?: string;
	/** For a diff; absent where there is none. */
	readonly expected?: unknown;
	readonly actual?: unknown;
	/** From 0 to 1; 1 or 0 by `holds` where it is absent. */
	readonly score?: number;
	/** What a judge or an expression says of it, whether it holds or not. */
	readonly reason?: string;
	readonly judgeTokens?: number;
	/** Name of the snapshot that the actual value can be accepted as. */
	readonly snapshot?: string;
}

/** Characters of a value that sentences show. */
const longest = 200;

/** A value as sentences show it. */
export type Show = (value: unknown) => string;

/** Returns what shows values without these secrets: they are masked before a value is cut, so that no part of one is left at the cut. */
export function shownWithout(secrets: () => Secrets): Show {
	return given => {
		const value = maskRunSecrets(given, secrets());
		if (typeof value === 'string' && value.length > longest) {
			return `${JSON.stringify(value.slice(0, longest))}…`;
		}
		const text = value === undefined ? 'nothing' : JSON.stringify(value);
		return text.length > longest ? `${text.slice(0, longest)}…` : text;
	};
}
