import type { JSONPath, Node } from 'jsonc-parser';
import { createLimitedNameFinder, findClosestNames, joinNames } from '#base/text/closestNames.ts';
import type { Translate } from '#base/text/localization.ts';
import {
	describeKind,
	findProperty,
	formatJsonPath,
	getNameRange,
	getValueRange,
	listProperties,
	type TextFault,
} from '#base/text/textFaults.ts';
import type { AgentSummary, AgentVariable } from '#contract/agents.ts';
import { getTrigger, selectTrigger } from './agentTrigger.ts';
import { hasPlaceholder } from './placeholders.ts';
import type { ParsedRunFile } from './runFileParse.ts';

export function findAgent(agents: readonly AgentSummary[], name: string): AgentSummary | undefined {
	return agents.find(agent => agent.name === name);
}

/**
 * Checks a run file against the agents of its connection. Finds an unknown or broken agent, and inputs that are missing, have the wrong
 * type, are too long or aren't among the options. The service makes the same checks before a run (workflow DSL, "start").
 */
export function checkAgent(file: ParsedRunFile, agents: readonly AgentSummary[], connection: string, t: Translate): TextFault[] {
	const model = findProperty(file.root, 'model');
	if (!model || file.agent === undefined) {
		return [];
	}
	const agent = findAgent(agents, file.agent);
	if (!agent) {
		// the settings may not list all agents of the service
		const severity = agents.some(({ mode }) => mode !== '') ? 'error' : 'warning';
		const names = agents.map(({ name }) => name);
		const known = names.slice(0, 8).join(', ') + (names.length > 8 ? ', …' : '');
		return [
			{
				code: 'unknown-agent',
				severity,
				path: ['model'],
				...getValueRange(model),
				message: names.length
					? t("'model' is '{0}', but '{1}' has no such agent. Expected one of {2}.", file.agent, connection, known)
					: t("'model' is '{0}', but '{1}' has no agents.", file.agent, connection),
				suggestions: findClosestNames(file.agent, names),
			},
		];
	}
	if (agent.error) {
		return [
			{
				code: 'agent-broken',
				severity: 'error',
				path: ['model'],
				...getValueRange(model),
				message: t("Agent '{0}' in 'model' can't run: {1}", agent.name, agent.error),
			},
		];
	}
	const trigger = findProperty(file.root, 'trigger');
	const named = getTrigger(file.root);
	const ids = agent.triggers?.map(({ id }) => id) ?? [];
	if (trigger && named !== undefined && ids.length > 0 && !ids.includes(named)) {
		return [
			{
				code: 'unknown-trigger',
				severity: 'error',
				path: ['trigger'],
				...getValueRange(trigger),
				message: t("'trigger' is '{0}', but '{1}' can't start with it. Expected one of {2}.", named, agent.name, joinNames(ids)),
				suggestions: findClosestNames(named, ids),
			},
		];
	}
	// the user chooses the trigger when the file is run, and it determines the inputs
	if (ids.length > 0 && named === undefined) {
		return [];
	}
	// the variables of remote agents, and of agents only listed in the settings, are unknown
	return file.inputs && (agent.file !== null || agent.variables.length > 0) ? checkInputs(file.inputs, selectTrigger(agent, named), t) : [];
}

/**
 * Checks inputs against the variables of an agent.
 * @param suggest shared by all checks of a text, see {@link createLimitedNameFinder}
 */
export function checkInputs(inputs: Node, agent: AgentSummary, t: Translate, suggest = createLimitedNameFinder()): TextFault[] {
	const faults: TextFault[] = [];
	const given = listProperties(inputs);
	const values = new Map(given.toReversed().map(({ name, value }) => [name, value]));
	for (const variable of agent.variables) {
		const value = values.get(variable.variable);
		if (value && value.type !== 'null') {
			faults.push(...checkValue(value, variable, ['inputs', variable.variable], t), ...checkNotEmpty(value, variable, agent, t));
		} else if (variable.required && variable.default === undefined) {
			const path = ['inputs', variable.variable];
			const message = t(
				"'{0}' is missing. Expected {1}, required by '{2}'.",
				formatJsonPath(path),
				describeExpected(variable, t),
				agent.name,
			);
			faults.push({ code: 'missing-input', severity: 'error', path, ...(value ? getValueRange(value) : getNameRange(inputs)), message });
		}
	}
	const names = agent.variables.map(({ variable }) => variable);
	const [known, listed] = [new Set(names), joinNames(names)];
	for (const { name, nameNode } of given) {
		if (!known.has(name)) {
			const message = names.length
				? t("'inputs.{0}' isn't an input of '{1}' and will be ignored. Its inputs: {2}.", name, agent.name, listed)
				: t("'inputs.{0}' will be ignored because '{1}' has no inputs.", name, agent.name);
			faults.push({
				code: 'unknown-input',
				severity: 'warning',
				path: ['inputs', name],
				...getValueRange(nameNode),
				message,
				suggestions: suggest(name, names),
			});
		}
	}
	return faults;
}

/** Warns about an empty value of a required input, which a service may accept or refuse. */
function checkNotEmpty(value: Node, variable: AgentVariable, agent: AgentSummary, t: Translate): TextFault[] {
	const isEmpty =
		value.type === 'string' ? String(value.value).trim() === '' : value.type === 'array' && (value.children ?? []).length === 0;
	const isText = variable.type === 'text-input' || variable.type === 'paragraph';
	if (!variable.required || !isEmpty || !(value.type === 'array' || isText)) {
		return [];
	}
	const path = ['inputs', variable.variable];
	const message = t("'{0}' is empty, but '{2}' requires {1}.", formatJsonPath(path), describeExpected(variable, t), agent.name);
	return [{ code: 'empty-input', severity: 'warning', path, ...getValueRange(value), message }];
}

/** Describes the values that a variable accepts. */
export function describeExpected(variable: AgentVariable, t: Translate): string {
	switch (variable.type) {
		case 'number':
			return t('a number');
		case 'checkbox':
			return t('true or false');
		case 'select':
			return t('one of {0}', (variable.options ?? []).map(option => JSON.stringify(option)).join(', '));
		case 'file':
			return t('a file');
		case 'file-list':
			return t('a list of files');
		case 'json_object':
			return t('an object');
		default:
			return variable.max_length ? t('a string with a maximum length of {0}', variable.max_length) : t('a string');
	}
}

function checkValue(node: Node, variable: AgentVariable, path: JSONPath, t: Translate): TextFault[] {
	const local = findProperty(node, '$file') !== undefined;
	const later = local || hasPlaceholder(node);
	switch (variable.type) {
		case 'number':
			return later ||
				node.type === 'number' ||
				(typeof node.value === 'string' && node.value.trim() !== '' && Number.isFinite(Number(node.value)))
				? []
				: [createInputFault(node, variable, path, t)];
		case 'checkbox':
			return node.type === 'boolean' ? [] : [createInputFault(node, variable, path, t)];
		case 'select':
			return later || (node.type === 'string' && (variable.options ?? []).includes(node.value))
				? []
				: [createInputFault(node, variable, path, t)];
		case 'json_object':
			return node.type === 'object' || later ? [] : [createInputFault(node, variable, path, t)];
		case 'file':
			return node.type === 'object' ? [] : [createInputFault(node, variable, path, t)];
		case 'file-list':
			return node.type === 'array' && (node.children ?? []).every(item => item.type === 'object')
				? []
				: [createInputFault(node, variable, path, t)];
		case 'text-input':
		case 'paragraph':
			return later ? [] : checkText(node, variable, path, t);
		default:
			return [];
	}
}

function checkText(node: Node, variable: AgentVariable, path: JSONPath, t: Translate): TextFault[] {
	if (node.type !== 'string') {
		return [createInputFault(node, variable, path, t)];
	}
	// the service counts code points, not UTF-16 units
	const length = [...(node.value as string)].length;
	if (variable.max_length && length > variable.max_length) {
		const message = t("'{0}' is too long ({1} characters). Expected {2}.", formatJsonPath(path), length, describeExpected(variable, t));
		return [{ code: 'wrong-input', severity: 'error', path, ...getValueRange(node), message }];
	}
	return [];
}

function createInputFault(node: Node, variable: AgentVariable, path: JSONPath, t: Translate): TextFault {
	const scalar = node.type === 'string' || node.type === 'number';
	const text = scalar ? JSON.stringify(node.value) : '';
	const found = scalar && text.length <= 60 ? text : describeKind(node, t);
	const message = t("'{0}' is {1}. Expected {2}.", formatJsonPath(path), found, describeExpected(variable, t));
	const suggestions = variable.type === 'select' ? { suggestions: (variable.options ?? []).map(option => JSON.stringify(option)) } : {};
	return { code: 'wrong-input', severity: 'error', path, ...getValueRange(node), message, ...suggestions };
}
