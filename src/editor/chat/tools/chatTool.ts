import type { ChosenTool } from '#pages/chat/transcript/transcript.ts';

/** What came of a call. `text` is what the model gets. */
export interface ToolOutcome {
	readonly text: string;
	readonly isError: boolean;
}

/** A tool that can be called now. */
export interface ChatTool {
	readonly chosen: ChosenTool;
	/** What people call it. */
	readonly title: string;
	/** Where it runs, as people call that place. */
	readonly where: string;
	readonly description: string;
	/** JSON schema of its input. */
	readonly inputSchema: object;
	/** Runs it. After `signal` aborts, it settles once nothing of it goes on any more, as far as that can be known. Rejects with a sentence. */
	run(input: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<ToolOutcome>;
}

/** The tools of these that can be called now; none in a workspace that is not trusted. */
export type ChosenTools = (chosen: readonly ChosenTool[]) => Promise<readonly ChatTool[]>;

/** Whether both mean one tool. */
export function isSameTool(one: ChosenTool, other: ChosenTool): boolean {
	return one.kind === other.kind && one.name === other.name && one.connectionId === other.connectionId;
}
