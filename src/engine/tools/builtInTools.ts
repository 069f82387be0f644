import { calculateExpression } from './calculator.ts';
import type { EngineTool, ToolFunction } from './engineTool.ts';
import { convertTimezone, getCurrentTime, getCurrentTimestamp, getWeekday } from './time.ts';
import { scrapePage } from './webscraper.ts';

type Properties = Readonly<Record<string, { readonly type: 'string' | 'integer'; readonly description: string }>>;

/** Tools of the hosted service that need no external service, by `tool_name`. */
export const builtInTools: ReadonlyMap<string, EngineTool> = new Map(
	[
		defineTool('time', 'current_time', 'Tells the current date and time.', getCurrentTime, [], {
			format: { type: 'string', description: 'Format of the time as strftime has it; "%Y-%m-%d %H:%M:%S" by default.' },
			timezone: { type: 'string', description: 'Time zone by its IANA name, such as "Europe/Berlin"; UTC by default.' },
		}),
		defineTool('time', 'current_timestamp', 'Tells the seconds since 1970.', getCurrentTimestamp, [], {}),
		defineTool(
			'time',
			'timezone_conversion',
			'Converts a time of one time zone to another.',
			convertTimezone,
			['current_time', 'current_timezone', 'target_timezone'],
			{
				current_time: { type: 'string', description: 'The time, such as "2026-01-31 12:00:00".' },
				current_timezone: { type: 'string', description: 'Its time zone by IANA name.' },
				target_timezone: { type: 'string', description: 'The time zone that is wanted, by IANA name.' },
			},
		),
		defineTool('time', 'weekday', 'Tells the weekday of a date.', getWeekday, ['year', 'month', 'day'], {
			year: { type: 'integer', description: 'Year of the date.' },
			month: { type: 'integer', description: 'Month, 1 to 12.' },
			day: { type: 'integer', description: 'Day of the month.' },
		}),
		defineTool('webscraper', 'webscraper', 'Reads the text of a web page.', scrapePage, ['url'], {
			url: { type: 'string', description: 'Address of the page, which begins with http:// or https://.' },
		}),
		defineTool('maths', 'eval_expression', 'Calculates what an arithmetic expression comes to.', calculateExpression, ['expression'], {
			expression: { type: 'string', description: 'The expression, such as "(2 + 3) * 4" or "sqrt(2) ** 3".' },
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
