import type { ChosenTool } from '#pages/chat/transcript/transcript.ts';

/** Result of a tool call. `text` is sent to the model. */
export interface ToolOutcome {
	readonly text: string;
	readonly isError: boolean;
}

/** A tool that can be called now. */
export interface ChatTool {
	readonly chosen: ChosenTool;
	readonly title: string;
	/** Display name of the connection or program that runs the tool. */
	readonly where: string;
	readonly description: string;
	/** JSON schema of its input. */
	readonly inputSchema: object;
	/** Runs the tool. After `signal` aborts, settles when the tool has stopped, if it reports that. Rejects with a {@link Problem}. */
	run(input: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<ToolOutcome>;
}

/** Resolves chosen tools to tools that can run now. Resolves to none in an untrusted workspace. */
export type ChosenTools = (chosen: readonly ChosenTool[]) => Promise<readonly ChatTool[]>;

/** True if both values refer to the same tool. */
export function isSameTool(one: ChosenTool, other: ChosenTool): boolean {
	return one.kind === other.kind && one.name === other.name && one.connectionId === other.connectionId;
}
