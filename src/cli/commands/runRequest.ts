import fs from 'node:fs';
import path from 'node:path';
import { applyEdits, modify } from 'jsonc-parser';
import { fillPlaceholders as t } from '#base/text/fillPlaceholders.ts';
import type { JsonSchema } from '#base/text/schemaCheck.ts';
import type { AgentSummary, AgentVariable } from '#contract/agents.ts';
import { findAgent } from '#runs/request/agentCheck.ts';
import { parseRunFile } from '#runs/request/runFileParse.ts';
import { readRunFile } from '#runs/request/runFileRead.ts';
import type { FilledRequest } from '#runs/request/secrets.ts';
import { readPackageJson } from '../assets.ts';
import { CliFault } from '../cliFault.ts';
import { getFileRoot } from '../fileRoot.ts';
import { printLine, toPlainLine } from '../output.ts';
import { readNamedText } from '../readFailure.ts';
import type { Service } from '../service/openService.ts';
import { createPlaceholderSource, defaultUser, listServiceAgents, uploadLocalFile } from '../service/requestParts.ts';

/** A run file, or an equivalent text for an agent given by name. */
interface RunOperand {
	/** Absolute path of the run file. Absent for an agent. */
	readonly file?: string;
	readonly text: string;
	/** Name for messages. */
	readonly name: string;
}

/** Reads the run file given as an argument. If there is no such file, the argument is the name of an agent. Throws a {@link CliFault}. */
export function readRunOperand(operand: string): RunOperand {
	const file = path.resolve(operand);
	if (!fs.existsSync(file) && !/\.json$|[\\/]/i.test(operand)) {
		return { text: JSON.stringify({ model: operand, inputs: {} }), name: operand };
	}
	return { file, text: readNamedText(file), name: path.relative('', file) };
}

/**
 * Creates the request. `NAME=VALUE` inputs replace those of the file. Prints problems to standard error, and rejects with a {@link
 * CliFault}.
 *
 * @param isReplay true if nothing is called, so that missing environment variables don't matter
 */
export async function createRunRequest(
	operand: RunOperand,
	inputs: readonly string[],
	service: Service,
	isReplay: boolean,
): Promise<FilledRequest> {
	const { file, name } = operand;
	const folder = file === undefined ? process.cwd() : path.dirname(file);
	const agents = await listServiceAgents(service);
	const schema = readPackageJson<JsonSchema>('media/run.schema.json');
	const text = replaceInputs(operand.text, inputs, agents, schema);
	// files named on the command line may be anywhere, unlike those that the run file names
	const scope = { folder, root: getFileRoot(file ?? folder), named: new Set(inputs.filter(isFileInput).map(getNamedFile)) };
	const { request, faults, secrets } = await readRunFile(text, {
		schema,
		connection: service.name,
		builtIn: service.isBuiltIn,
		agents,
		user: defaultUser,
		scope,
		placeholders: createPlaceholderSource(getFileRoot(file ?? folder), isReplay),
		upload: (reference, type, owner) => uploadLocalFile(service, reference, type, owner, scope),
		t,
	});
	for (const { severity, offset, message } of faults) {
		const line = file === undefined ? '' : `:${text.slice(0, offset).split('\n').length}`;
		printLine(toPlainLine(`${name}${line}: ${severity}: ${message}`));
	}
	if (!request) {
		throw new CliFault(`${name}: no run was started.`);
	}
	return { request, secrets };
}

/** Replaces inputs in the text of a run file. Lines keep their numbers if possible. */
function replaceInputs(text: string, inputs: readonly string[], agents: readonly AgentSummary[] | undefined, schema: JsonSchema): string {
	const model = parseRunFile(text, schema, t).agent;
	const variables = (model === undefined ? undefined : agents && findAgent(agents, model))?.variables ?? [];
	const lists = new Map<string, unknown[]>();
	let changed = text;
	for (const input of inputs) {
		const [, name = '', given = ''] = /^([^=]+)=([\s\S]*)$/.exec(input) ?? [];
		if (name === '') {
			throw new CliFault(`--input ${input}: expected NAME=VALUE.`);
		}
		const variable = variables.find(each => each.variable === name);
		let value = parseInput(name, given, variable);
		if (variable?.type === 'file-list') {
			const list = [...(lists.get(name) ?? []), value];
			lists.set(name, list);
			value = list;
		}
		changed = applyEdits(changed, modify(changed, ['inputs', name], value, {}));
	}
	return changed;
}

/** Converts the text of an input to the type of the agent's variable. */
function parseInput(name: string, given: string, variable: AgentVariable | undefined): unknown {
	if (isFileInput(`=${given}`)) {
		return { $file: getNamedFile(`=${given}`) };
	}
	const text = given.startsWith('@@') ? given.slice(1) : given;
	const refuseInput = (expected: string) => {
		throw new CliFault(`--input ${name}=${text}: expected ${expected}.`);
	};
	switch (variable?.type) {
		case 'number':
			return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : refuseInput('a number');
		case 'checkbox':
			return text === 'true' || text === 'false' ? text === 'true' : refuseInput('true or false');
		case 'json_object':
			try {
				return JSON.parse(text) as unknown;
			} catch {
				return refuseInput('JSON');
			}
		case 'file':
		case 'file-list':
			return refuseInput('@FILE');
		default:
			return text;
	}
}

/** True if an input names a file: `NAME=@FILE`. `@@` escapes a leading `@`. */
function isFileInput(input: string): boolean {
	return /^[^=]*=@(?!@)/.test(input);
}

/** Returns the absolute path of the file of an input `NAME=@FILE`. */
function getNamedFile(input: string): string {
	return path.resolve(input.slice(input.indexOf('=@') + 2));
}
