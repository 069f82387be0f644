import type { ConnectionKind } from './connectionTypes.ts';

/** Kinds that a user can add. */
export type ServiceKind = Exclude<ConnectionKind, 'built-in'>;

/** Endpoint groups that can have a key of their own (contract, "Rules for all"): A and B, C and D, E. */
export const keyGroups = ['agent', 'messages', 'content'] as const;
export type KeyGroup = (typeof keyGroups)[number];

/** What follows from the kind of a service; what users read of it is in kindFacts.ts, which loads with the first command. */
export interface KindRules {
	/** Groups that the service has. */
	readonly groups: readonly KeyGroup[];
	/** Whether the service may run without a key, as local model servers do (wire facts 5). */
	readonly keyOptional: boolean;
	/** Whether it has agents, or generates text only. */
	readonly agents: boolean;
}

/** The kinds of service, in the order in which they are offered. */
export const kindRules: Readonly<Record<ServiceKind, KindRules>> = {
	gateway: { groups: keyGroups, keyOptional: false, agents: true },
	dify: { groups: ['agent'], keyOptional: false, agents: true },
	anthropic: { groups: ['messages'], keyOptional: false, agents: false },
	gemini: { groups: ['content'], keyOptional: false, agents: false },
	openai: { groups: ['messages'], keyOptional: true, agents: false },
	'anthropic-compatible': { groups: ['messages'], keyOptional: true, agents: false },
};

/** Groups of any kind of connection; the built-in gateway's key is its own affair. */
export function groupsOf(kind: ConnectionKind): readonly KeyGroup[] {
	return kind === 'built-in' ? [] : kindRules[kind].groups;
}
