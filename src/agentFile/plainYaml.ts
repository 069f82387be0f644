import { Schema } from 'yaml';
import type { LocalizableMessage } from '#base/text/localizableMessage.ts';
import { AgentText, type Path } from './agentText.ts';
import { createTree } from './reading/textTree.ts';

/** Values of a YAML or JSON text of another tool. */
interface PlainYaml {
	/** Plain values with aliases resolved; `undefined` if there's an error. */
	readonly content: unknown;
	/** Why the text can't be read, with the line from 1. */
	readonly error: { readonly message: LocalizableMessage; readonly line: number } | undefined;
	/** Returns the line (from 1) of a value, or of its nearest parent in the text. */
	getLine(path: Path): number;
}

let schema: Schema | undefined;

/**
 * Reads YAML 1.2, in which `yes` and `on` are strings, with the limits of agent files: size, depth, and number of values with each use of an
 * alias.
 */
export function readPlainYaml(text: string): PlainYaml {
	schema ??= new Schema({ schema: 'core', merge: true });
	const read = new AgentText(text, { schema });
	const { content, error } = createTree(read);
	return {
		content: error ? undefined : content,
		error: error && { message: error.localizable, line: read.getLineAt(error.offset) },
		getLine: path => read.getLineOfPath(path),
	};
}
