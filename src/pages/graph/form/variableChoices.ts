import type { FormScope } from '../nodeForm/formTypes.ts';

export interface Choice {
	readonly value: string;
	readonly label: string;
	readonly detail: string;
}

/** Choices under a heading. The label is empty if there is only one group. */
export interface ChoiceGroup {
	readonly label: string;
	readonly choices: readonly Choice[];
}

/** Groups the variables that a field accepts by node: the nearest node first, then system, environment and conversation variables. */
export function groupVariables(scopes: readonly FormScope[], takes: readonly string[] | undefined): readonly ChoiceGroup[] {
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

/** Formats a variable as node title and name, or as its selector if it's unknown. */
export function formatVariable(selector: readonly string[], scopes: readonly FormScope[]): string {
	const [id, ...names] = selector;
	const scope = scopes.find(each => each.id === id);
	return scope && names.length > 0 ? `${scope.title} · ${names.join('.')}` : selector.join('.');
}

/** Filters choices by typed words, in values and group labels. Types aren't searched, because most variables share them. */
export function filterGroups(groups: readonly ChoiceGroup[], query: string): readonly ChoiceGroup[] {
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
