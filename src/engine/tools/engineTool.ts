import type { Citation } from '../knowledge/citations.ts';
import type { EngineServices, ModelTool, RunOptions } from '../run/engineTypes.ts';

/** The result of a tool: text, and values if it has any. */
export interface ToolResult {
	readonly text: string;
	readonly json?: unknown;
}

/** The context in which a tool runs. */
export interface ToolContext {
	readonly services: EngineServices;
	readonly run: RunOptions;
	readonly signal: AbortSignal;
	/** Records the knowledge segments that the tool's result is based on. */
	readonly addCitations: (citations: readonly Citation[]) => void;
}

/** Runs a tool. Throws or rejects with a message that users can act on. */
export type ToolFunction = (parameters: Readonly<Record<string, unknown>>, context: ToolContext) => ToolResult | Promise<ToolResult>;

/** A tool for nodes and agents. */
export interface EngineTool extends ModelTool {
	/** Name of the provider: `time`, or the name of an MCP server, an OpenAPI description or an agent. */
	readonly provider: string;
	readonly use: ToolFunction;
}

/** A source of tools, grouped by provider. */
export interface ToolSource {
	/** Returns the names of the providers. */
	listProviders(): Promise<readonly string[]>;
	/** Returns a tool; `undefined` if the provider or the tool doesn't exist. Rejects if the provider doesn't respond. */
	findTool(provider: string, tool: string): Promise<EngineTool | undefined>;
	/** Returns the names of a provider's tools, for messages. */
	listToolNames(provider: string): Promise<readonly string[]>;
}

/** Sources of tools that aren't built in. */
export interface ToolSources {
	readonly mcp: ToolSource;
	readonly apis: ToolSource;
	/** Agents of this gateway by name. Pass the same name twice to {@link ToolSource.findTool}. */
	readonly agents: ToolSource;
	/** Searches the web; absent if no search service is configured. */
	readonly search?: EngineTool;
}
