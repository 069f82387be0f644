import { isDeepStrictEqual } from 'node:util';
import { type HeldSecrets, SecretMarks } from '../agents/secretMarks.ts';

type Variables = Readonly<Record<string, unknown>>;

/** Accepts the conversation variables after a turn. Returns a function that updates the stored text when the turn ends. */
export type KeepVariables = (after: Variables) => (kept: string) => string;

/** Stored conversation variables, without secrets, with the key of their placeholders. */
interface KeptVariables {
	/** Key of the placeholders; undefined if an older version stored the variables without any. */
	readonly marks?: string;
	readonly variables: Variables;
}

/** Returns the stored conversation variables with the agent's current secrets. */
export function fillVariables(kept: string, agent: HeldSecrets): Variables {
	const { marks: key, variables } = parseVariables(kept);
	if (key === undefined) {
		return variables;
	}
	const marks = new SecretMarks(agent, key);
	return mapValues(variables, value => marks.fillSecrets(value));
}

/**
 * Computes the variables for the next turn. Values that this turn changed override those stored by turns that ended meanwhile. Unchanged
 * values are only used if nothing is stored. As in Dify, turns of a conversation can run concurrently.
 * @param before the variables at the start of the turn, or when it paused
 */
export function createVariableKeeper(before: Variables, agent: HeldSecrets): KeepVariables {
	return after => {
		const changed = Object.fromEntries(Object.entries(after).filter(([name, value]) => !isDeepStrictEqual(value, before[name])));
		return kept => {
			const { marks: key, variables } = parseVariables(kept);
			const marks = new SecretMarks(agent, key);
			const markValues = (values: Variables) => mapValues(values, value => marks.markSecrets(value));
			// don't fill in stored values, because a secret without a value may get one later
			return JSON.stringify([marks.key, { ...markValues(after), ...variables, ...markValues(changed) }]);
		};
	};
}

/** Parses stored variables: a list of key and variables, or only the variables. */
function parseVariables(kept: string): KeptVariables {
	const value = JSON.parse(kept) as Variables | readonly [string, Variables];
	return Array.isArray(value) ? { marks: value[0], variables: value[1] } : { variables: value as Variables };
}

function mapValues(values: Variables, change: (value: unknown) => unknown): Variables {
	return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
}
