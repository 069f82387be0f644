import type { EngineServices } from '../engineTypes.ts';
import { currentTime, currentTimestamp, timezoneConversion, weekday } from './time.ts';
import { webscraper } from './webscraper.ts';

/** What a tool gives: a text, and values where it has some. */
export interface ToolResult {
	readonly text: string;
	readonly json?: Readonly<Record<string, unknown>>;
}

/** Uses a tool. Rejects with a sentence that a user can act on. */
export type Tool = (
	parameters: Readonly<Record<string, unknown>>,
	services: EngineServices,
	signal: AbortSignal,
) => ToolResult | Promise<ToolResult>;

/** Tools of the hosted service that work without any service, by `tool_name`. */
export const tools: ReadonlyMap<string, Tool> = new Map<string, Tool>([
	['current_time', currentTime],
	['current_timestamp', currentTimestamp],
	['timezone_conversion', timezoneConversion],
	['weekday', weekday],
	['webscraper', webscraper],
]);
