import { isNode, LineCounter, parseDocument } from 'yaml';
import type * as z from 'zod';
import { AgentFileError } from './agentFileError.ts';
import type { AgentFault } from './agentTypes.ts';

/** Keys and indexes from the top of a file to a value in it. */
export type Path = readonly (string | number)[];

/** Bytes of an agent file (workflow DSL, "File"). */
const maxBytes = 10 * 1024 * 1024;

/** An agent file as YAML whose values know their lines, so that errors can name them. */
export class AgentDocument {
	readonly fileName: string;
	/** The file's content as plain values. */
	readonly content: unknown;
	readonly #lines = new LineCounter();
	readonly #document: ReturnType<typeof parseDocument>;

	/** @throws {AgentFileError} if the text is too long or not YAML */
	constructor(text: string, fileName: string) {
		this.fileName = fileName;
		if (Buffer.byteLength(text) > maxBytes) {
			throw new AgentFileError(fileName, { message: 'the file is over 10 MB, the most an agent file can have', line: 1, path: '' });
		}
		this.#document = parseDocument(text.replace(/^\uFEFF/, ''), { lineCounter: this.#lines, prettyErrors: false });
		const [fault] = this.#document.errors;
		if (fault) {
			throw new AgentFileError(fileName, { message: `not valid YAML: ${fault.message}`, line: this.#lineAt(fault.pos[0]), path: '' });
		}
		try {
			this.content = this.#document.toJS();
		} catch (cause) {
			throw new AgentFileError(fileName, { message: `not valid YAML: ${(cause as Error).message}`, line: 1, path: '' }, { cause });
		}
	}

	/** Says what is wrong at a place; the line is that of the value, or of the nearest value around it that the file has. */
	fault(path: Path, message: string): AgentFault {
		return { message, line: this.#lineOf(path), path: pathText(path) };
	}

	/** @throws {AgentFileError} always */
	refuse(path: Path, message: string): never {
		throw new AgentFileError(this.fileName, this.fault(path, message));
	}

	/** Checks a value against a schema. @throws {AgentFileError} that names the first fault */
	check<Schema extends z.ZodType>(schema: Schema, value: unknown, path: Path): z.output<Schema> {
		const result = schema.safeParse(value);
		if (result.success) {
			return result.data;
		}
		const [issue] = result.error.issues;
		const place = (issue?.path ?? []).filter(key => typeof key !== 'symbol');
		return this.refuse([...path, ...place], issue?.message ?? 'not as expected');
	}

	#lineOf(path: Path): number {
		for (let length = path.length; length >= 0; length--) {
			const node = length === 0 ? this.#document.contents : this.#document.getIn(path.slice(0, length), true);
			if (isNode(node) && node.range) {
				return this.#lineAt(node.range[0]);
			}
		}
		return 1;
	}

	#lineAt(offset: number): number {
		return this.#lines.linePos(offset).line;
	}
}

function pathText(path: Path): string {
	return path.reduce<string>((text, key) => (typeof key === 'number' ? `${text}[${key}]` : text ? `${text}.${key}` : key), '');
}
