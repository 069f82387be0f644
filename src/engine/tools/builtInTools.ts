import { calculateExpression } from './calculator.ts';
import type { EngineTool, ToolFunction } from './engineTool.ts';
import { convertTimezone, getCurrentTime, getCurrentTimestamp, getWeekday } from './time.ts';
import { scrapePage } from './webscraper.ts';

type Properties = Readonly<Record<string, { readonly type: 'string' | 'integer'; readonly description: string }>>;

/** Tools of the hosted service that need no external service, by `tool_name`. */
export const builtInTools: ReadonlyMap<string, EngineTool> = new Map(
	[
		defineTool('time', 'current_time', 'Returns the current date and time.', getCurrentTime, [], {
			format: { type: 'string', description: 'Format of the time, as in strftime. Default: "%Y-%m-%d %H:%M:%S".' },
			timezone: { type: 'string', description: 'IANA name of the time zone, for example "Europe/Berlin". Default: UTC.' },
		}),
		defineTool('time', 'current_timestamp', 'Returns the current time in seconds since 1970.', getCurrentTimestamp, [], {}),
		defineTool(
			'time',
			'timezone_conversion',
			'Converts a time from one time zone to another.',
			convertTimezone,
			['current_time', 'current_timezone', 'target_timezone'],
			{
				current_time: { type: 'string', description: 'Time to convert, for example "2026-01-31 12:00:00".' },
				current_timezone: { type: 'string', description: 'IANA name of its time zone.' },
				target_timezone: { type: 'string', description: 'IANA name of the time zone to convert to.' },
			},
		),
		defineTool('time', 'weekday', 'Returns the weekday of a date.', getWeekday, ['year', 'month', 'day'], {
			year: { type: 'integer', description: 'Year of the date.' },
			month: { type: 'integer', description: 'Month, 1 to 12.' },
			day: { type: 'integer', description: 'Day of the month.' },
		}),
		defineTool('webscraper', 'webscraper', 'Reads the text of a web page.', scrapePage, ['url'], {
			url: { type: 'string', description: 'URL of the page. Must start with http:// or https://.' },
		}),
		defineTool('maths', 'eval_expression', 'Calculates the value of an arithmetic expression.', calculateExpression, ['expression'], {
			expression: { type: 'string', description: 'Expression to calculate, for example "(2 + 3) * 4" or "sqrt(2) ** 3".' },
		}),
	].map(built => [built.name, built]),
);

function defineTool(
	provider: string,
	name: string,
	description: string,
	use: ToolFunction,
	required: readonly string[],
	properties: Properties,
): EngineTool {
	return { provider, name, description, use, parameters: { type: 'object', properties, required } };
}
