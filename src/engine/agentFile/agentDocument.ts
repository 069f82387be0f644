import { isScalar } from 'yaml';
import type * as z from 'zod';
import { AgentText, type Path } from '#agentFile/agentText.ts';
import { createSchemaProblem, describeIssue } from '#contract/problems.ts';
import { AgentFileError } from './agentFileError.ts';
import type { AgentFault } from './agentTypes.ts';

/** Parses an agent file for a run. Unreadable or unexpected content is refused with its line. */
export class AgentDocument {
	readonly fileName: string;
	/** The file's content as plain values. */
	readonly content: unknown;
	readonly #text: AgentText;

	/** @throws {AgentFileError} if the text is too long, has too many values, or isn't YAML */
	constructor(text: string, fileName: string) {
		this.fileName = fileName;
		this.#text = new AgentText(text.replace(/^\uFEFF/, ''));
		const { error, content } = this.#text;
		if (error) {
			const message = error.kind === 'size' ? error.message : `isn't valid YAML: ${error.message}`;
			throw new AgentFileError(fileName, { message, line: this.#text.getLineAt(error.offset), path: '' });
		}
		this.content = content;
	}

	/** Returns a number or boolean as it is written in the file; `undefined` if it isn't written at the path itself. */
	getSource(path: Path): string | undefined {
		const node = this.#text.document?.getIn(path, true);
		return isScalar(node) ? node.source : undefined;
	}

	/** Creates a fault at a path, with the line of the value or, if the file doesn't contain it, of the nearest enclosing value. */
	createFault(path: Path, message: string): AgentFault {
		return { message, line: this.#text.getLineOfPath(path), path: formatPath(path) };
	}

	/** @throws {AgentFileError} always */
	throwFault(path: Path, message: string): never {
		throw new AgentFileError(this.fileName, this.createFault(path, message));
	}

	/** Checks a value against a schema. @throws {AgentFileError} for the first problem */
	checkValue<Schema extends z.ZodType>(schema: Schema, value: unknown, path: Path): z.output<Schema> {
		const result = schema.safeParse(value, { error: describeIssue });
		if (result.success) {
			return result.data;
		}
		const { path: place, message } = createSchemaProblem(result.error, value);
		return this.throwFault([...path, ...place], message);
	}
}

function formatPath(path: Path): string {
	return path.reduce<string>((text, key) => (typeof key === 'number' ? `${text}[${key}]` : text ? `${text}.${key}` : key), '');
}
