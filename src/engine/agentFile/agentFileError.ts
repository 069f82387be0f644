import type { AgentFault } from './agentTypes.ts';

/** An agent file that can't be run; the message names the file, line and path. */
export class AgentFileError extends Error implements AgentFault {
	override readonly name = 'AgentFileError';
	readonly fileName: string;
	/** Line of the problem, from 1. */
	readonly line: number;
	/** Path of the value, for example `workflow.graph.nodes[2].data.url`; empty for the whole file. */
	readonly path: string;

	constructor(fileName: string, { message, line, path }: AgentFault, options?: ErrorOptions) {
		super(`${fileName}:${line}: ${path ? `${path}: ` : ''}${message}`, options);
		this.fileName = fileName;
		this.line = line;
		this.path = path;
	}
}
