import type { FormScope } from '../nodeForm/formTypes.ts';

/** Something that can be chosen. */
export interface Choice {
	readonly value: string;
	readonly label: string;
	readonly detail: string;
}

/** Choices that belong together; without a label where there is one group. */
export interface ChoiceGroup {
	readonly label: string;
	readonly choices: readonly Choice[];
}

/** The variables that a field takes, by the node that puts them out; the nearest node first, what no node puts out last. */
export function variableGroups(scopes: readonly FormScope[], takes: readonly string[] | undefined): readonly ChoiceGroup[] {
	const nodes = scopes.filter(({ type }) => type !== '').toReversed();
	const others = scopes.filter(({ type }) => type === '');
	return [...nodes, ...others]
		.map(({ id, title, type, variables }) => ({
			label: type === '' ? title : `${title} (${type})`,
			choices: variables
				.filter(variable => !takes || takes.includes(variable.type))
				.map(({ name, type: kind, description }) => ({
					value: `${id}.${name}`,
					label: name,
					detail: [kind, description ?? ''].filter(Boolean).join(' · '),
				})),
		}))
		.filter(({ choices }) => choices.length > 0);
}

/** A variable as people read it: title of its node and name; as it is written where it is not known. */
export function variableText(selector: readonly string[], scopes: readonly FormScope[]): string {
	const [id, ...names] = selector;
	const scope = scopes.find(each => each.id === id);
	return scope && names.length > 0 ? `${scope.title} · ${names.join('.')}` : selector.join('.');
}

/** What a typed text finds: in values and the names of groups, not in types, which most share. */
export function foundGroups(groups: readonly ChoiceGroup[], query: string): readonly ChoiceGroup[] {
	const words = query
		.toLowerCase()
		.split(/[\s.·]+/)
		.filter(Boolean);
	return groups
		.map(({ label, choices }) => ({
			label,
			choices: choices.filter(choice => {
				const text = `${label} ${choice.value}`.toLowerCase();
				return words.every(word => text.includes(word));
			}),
		}))
		.filter(({ choices }) => choices.length > 0);
}
