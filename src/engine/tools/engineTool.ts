import type { Citation } from '../knowledge/citations.ts';
import type { EngineServices, ModelTool, RunOptions } from '../run/engineTypes.ts';

/** What a tool gives: a text, and values where it has some. */
export interface ToolResult {
	readonly text: string;
	readonly json?: unknown;
}

/** What a tool works with. */
export interface ToolContext {
	readonly services: EngineServices;
	readonly run: RunOptions;
	readonly signal: AbortSignal;
	/** Takes the segments of knowledge that the tool's result was made with. */
	readonly cite: (citations: readonly Citation[]) => void;
}

/** What a tool does. Rejects, or throws, with a sentence that a user can act on. */
export type ToolFunction = (parameters: Readonly<Record<string, unknown>>, context: ToolContext) => ToolResult | Promise<ToolResult>;

/** A tool that nodes and agents use. */
export interface EngineTool extends ModelTool {
	/** Who offers it: `time`, the name of an MCP server, of an OpenAPI description, of an agent. */
	readonly provider: string;
	readonly use: ToolFunction;
}

/** Tools by who offers them. */
export interface ToolSource {
	/** Names of those who offer tools. */
	providers(): Promise<readonly string[]>;
	/** The tool of this name; `undefined` where there is no such provider, or it has no such tool. Rejects where the provider does not answer. */
	find(provider: string, tool: string): Promise<EngineTool | undefined>;
	/** Names of a provider's tools, for messages. */
	names(provider: string): Promise<readonly string[]>;
}

/** Tools besides those that are built in. */
export interface ToolSources {
	readonly mcp: ToolSource;
	readonly apis: ToolSource;
	/** Agents of this gateway, by name: {@link ToolSource.find} is asked for the same name twice. */
	readonly agents: ToolSource;
	/** Searches the web; absent where no service is named for it. */
	readonly search?: EngineTool;
}
