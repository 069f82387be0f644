import { isDeepStrictEqual } from 'node:util';
import { type HeldSecrets, SecretMarks } from '../agents/secretMarks.ts';

type Variables = Readonly<Record<string, unknown>>;

/** Conversation variables after a turn; what is returned makes the text to keep of the one that is kept when the turn ends. */
export type KeepVariables = (after: Variables) => (kept: string) => string;

/** Conversation variables as they are kept: without secrets, and with the key of the marks that stand for these. */
interface KeptVariables {
	/** Absent: they were kept before there were marks. */
	readonly marks?: string;
	readonly variables: Variables;
}

/** Conversation variables of earlier turns, with the secrets that the agent has now. */
export function filledVariables(kept: string, agent: HeldSecrets): Variables {
	const { marks: key, variables } = parsed(kept);
	if (key === undefined) {
		return variables;
	}
	const marks = new SecretMarks(agent, key);
	return each(variables, value => marks.fill(value));
}

/**
 * What a turn leaves to the next: values that it has changed, over those of turns that ended meanwhile; of the others only such as have none yet. Turns
 * of a conversation run beside each other, as they do in Dify, which writes each variable when it is assigned.
 * @param before as the turn got them, or as they were when it paused
 */
export function keptVariables(before: Variables, agent: HeldSecrets): KeepVariables {
	return after => {
		const changed = Object.fromEntries(Object.entries(after).filter(([name, value]) => !isDeepStrictEqual(value, before[name])));
		return kept => {
			const { marks: key, variables } = parsed(kept);
			const marks = new SecretMarks(agent, key);
			const marked = (values: Variables) => each(values, value => marks.mark(value));
			// what is kept stays as it is: a secret that has no value now may have one again
			return JSON.stringify([marks.key, { ...marked(after), ...variables, ...marked(changed) }]);
		};
	};
}

/** A list of key and variables, or the variables alone. */
function parsed(kept: string): KeptVariables {
	const value = JSON.parse(kept) as Variables | readonly [string, Variables];
	return Array.isArray(value) ? { marks: value[0], variables: value[1] } : { variables: value as Variables };
}

function each(values: Variables, change: (value: unknown) => unknown): Variables {
	return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
}
