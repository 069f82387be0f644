import { calculator } from './calculator.ts';
import type { EngineTool, ToolFunction } from './engineTool.ts';
import { currentTime, currentTimestamp, timezoneConversion, weekday } from './time.ts';
import { webscraper } from './webscraper.ts';

type Properties = Readonly<Record<string, { readonly type: 'string' | 'integer'; readonly description: string }>>;

/** Tools of the hosted service that need no external service, by `tool_name`. */
export const builtInTools: ReadonlyMap<string, EngineTool> = new Map(
	[
		tool('time', 'current_time', 'Tells the current date and time.', currentTime, [], {
			format: { type: 'string', description: 'Format of the time as strftime has it; "%Y-%m-%d %H:%M:%S" by default.' },
			timezone: { type: 'string', description: 'Time zone by its IANA name, such as "Europe/Berlin"; UTC by default.' },
		}),
		tool('time', 'current_timestamp', 'Tells the seconds since 1970.', currentTimestamp, [], {}),
		tool(
			'time',
			'timezone_conversion',
			'Converts a time of one time zone to another.',
			timezoneConversion,
			['current_time', 'current_timezone', 'target_timezone'],
			{
				current_time: { type: 'string', description: 'The time, such as "2026-01-31 12:00:00".' },
				current_timezone: { type: 'string', description: 'Its time zone by IANA name.' },
				target_timezone: { type: 'string', description: 'The time zone that is wanted, by IANA name.' },
			},
		),
		tool('time', 'weekday', 'Tells the weekday of a date.', weekday, ['year', 'month', 'day'], {
			year: { type: 'integer', description: 'Year of the date.' },
			month: { type: 'integer', description: 'Month, 1 to 12.' },
			day: { type: 'integer', description: 'Day of the month.' },
		}),
		tool('webscraper', 'webscraper', 'Reads the text of a web page.', webscraper, ['url'], {
			url: { type: 'string', description: 'Address of the page, which begins with http:// or https://.' },
		}),
		tool('maths', 'eval_expression', 'Calculates what an arithmetic expression comes to.', calculator, ['expression'], {
			expression: { type: 'string', description: 'The expression, such as "(2 + 3) * 4" or "sqrt(2) ** 3".' },
		}),
	].map(built => [built.name, built]),
);

function tool(
	provider: string,
	name: string,
	description: string,
	use: ToolFunction,
	required: readonly string[],
	properties: Properties,
): EngineTool {
	return { provider, name, description, use, parameters: { type: 'object', properties, required } };
}
