import type { JSONPath, Node } from 'jsonc-parser';
import type { FileScope } from '#base/files/fileScope.ts';
import type { Translate } from '#base/text/localization.ts';
import { findProperty, formatJsonPath, getValueRange, listProperties, RunFileValueError, type TextFault } from '#base/text/textFaults.ts';
import type { AgentSummary } from '#contract/agents.ts';
import type { FileObject } from '#contract/workflows.ts';
import { describeExpected } from './agentCheck.ts';
import { readLocalText } from './localFiles.ts';
import type { Placeholders } from './placeholders.ts';
import { getTextLimit } from './typedValue.ts';

interface RunFileValuesParts {
	readonly agent: AgentSummary | undefined;
	/** Name of the connection, for messages. */
	readonly connection: string;
	readonly scope: FileScope;
	readonly placeholders: Placeholders;
	/** Uploads a local file; absent if the service accepts none. */
	readonly upload: ((reference: string, type: string | undefined) => Promise<FileObject>) | undefined;
	readonly t: Translate;
}

/** Makes the values of a run file: fills in placeholders, reads or uploads local files. Collects problems. */
export class RunFileValues {
	readonly faults: TextFault[] = [];
	readonly #parts: RunFileValuesParts;

	constructor(parts: RunFileValuesParts) {
		this.#parts = parts;
	}

	async makeBody(root: Node): Promise<Record<string, unknown>> {
		const body: Record<string, unknown> = {};
		for (const { name, value } of listProperties(root)) {
			if (value && name !== '$schema' && name !== 'recordings') {
				body[name] = name === 'inputs' ? await this.#makeInputs(value) : await this.#makeValue(value, [name], name === 'files');
			}
		}
		return body;
	}

	async #makeInputs(inputs: Node): Promise<Record<string, unknown>> {
		const values: Record<string, unknown> = {};
		for (const { name, value } of listProperties(inputs)) {
			const type = this.#findVariable(name)?.type;
			if (value) {
				values[name] = findProperty(value, '$file')
					? type === 'file'
						? await this.#uploadFile(value, ['inputs', name])
						: await this.#readText(value, name)
					: await this.#makeValue(value, ['inputs', name], type === 'file-list');
			}
		}
		return values;
	}

	/** Returns the value of a node. With `uploads`, list items that name a local file are uploaded. */
	async #makeValue(node: Node, path: JSONPath, uploads = false): Promise<unknown> {
		if (node.type === 'array') {
			const items = node.children ?? [];
			return Promise.all(
				items.map((item, at) =>
					uploads && findProperty(item, '$file') ? this.#uploadFile(item, [...path, at]) : this.#makeValue(item, [...path, at]),
				),
			);
		}
		if (node.type === 'object') {
			const entries: [string, unknown][] = [];
			for (const { name, value } of listProperties(node)) {
				if (value) {
					entries.push([name, await this.#makeValue(value, [...path, name])]);
				}
			}
			return Object.fromEntries(entries);
		}
		return node.type === 'string'
			? this.#collectFaults(node, path, 'placeholder', () => this.#parts.placeholders.fillText(node.value))
			: node.value;
	}

	async #readText(entry: Node, name: string): Promise<unknown> {
		const { scope, t } = this.#parts;
		const node = findProperty(entry, '$file')!;
		const path = ['inputs', name];
		const text = await this.#collectFaults(node, path, 'local-file', async () =>
			readLocalText(await this.#parts.placeholders.fillText(node.value), scope, t),
		);
		const variable = this.#findVariable(name);
		const most = variable && getTextLimit(variable);
		const length = most !== undefined && text !== undefined ? [...text].length : 0;
		if (variable && most !== undefined && length > most) {
			const message = t(
				"'{0}': '{1}' is too long ({2} characters). Expected {3}.",
				formatJsonPath(path),
				node.value,
				length,
				describeExpected(variable, t),
			);
			this.faults.push({ code: 'local-file', severity: 'error', path, ...getValueRange(node), message });
		}
		return variable?.type === 'number' && text !== undefined ? Number(text) : text;
	}

	async #uploadFile(entry: Node, path: JSONPath): Promise<FileObject | undefined> {
		const { upload, connection, placeholders, t } = this.#parts;
		const node = findProperty(entry, '$file')!;
		const type = findProperty(entry, 'type')?.value as string | undefined;
		return this.#collectFaults(node, path, 'local-file', async () => {
			if (!upload) {
				throw new RunFileValueError(
					t('\'{0}\' doesn\'t accept uploads. Expected a file with "transfer_method": "remote_url".', connection),
				);
			}
			return upload(await placeholders.fillText(node.value), type);
		});
	}

	/** Collects problems of files and placeholders; rethrows other errors. */
	async #collectFaults<T>(node: Node, path: JSONPath, code: 'local-file' | 'placeholder', make: () => Promise<T>): Promise<T | undefined> {
		try {
			return await make();
		} catch (error) {
			if (!(error instanceof RunFileValueError)) {
				throw error;
			}
			this.faults.push({
				code,
				severity: 'error',
				path,
				...getValueRange(node),
				message: this.#parts.t("'{0}': {1}", formatJsonPath(path), error.message),
			});
			return undefined;
		}
	}

	#findVariable(name: string) {
		return this.#parts.agent?.variables.find(({ variable }) => variable === name);
	}
}
