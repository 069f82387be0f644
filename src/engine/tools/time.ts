import { getRunTimeMs } from '../run/engineTypes.ts';
import type { ToolFunction } from './engineTool.ts';

/** Returns the current time according to `format` (strftime) and `timezone`; by default "%Y-%m-%d %H:%M:%S" in UTC. */
export const getCurrentTime: ToolFunction = ({ format, timezone }, { services }) => ({
	text: formatDate(new Date(getRunTimeMs(services)), toParameterText(format) || '%Y-%m-%d %H:%M:%S', toParameterText(timezone) || 'UTC'),
});

/** Returns the current time in seconds since 1970. */
export const getCurrentTimestamp: ToolFunction = (_, { services }) => ({ text: String(Math.floor(getRunTimeMs(services) / 1000)) });

/** Converts a time between time zones: `current_time` ("2026-01-31 12:00:00"), `current_timezone`, `target_timezone`. */
export const convertTimezone: ToolFunction = ({ current_time, current_timezone, target_timezone }) => {
	const from = toParameterText(current_timezone) || 'UTC';
	const local = new Date(`${toParameterText(current_time).trim().replace(' ', 'T')}Z`);
	if (Number.isNaN(local.getTime())) {
		throw new Error(`'${toParameterText(current_time)}' isn't a valid time. Expected, for example, 2026-01-31 12:00:00.`);
	}
	return { text: formatDate(toInstant(local, from), '%Y-%m-%d %H:%M:%S', toParameterText(target_timezone) || 'UTC') };
};

const dayMs = 86_400_000;

/**
 * Returns the instant at which a clock in the zone shows the time that `local` has in UTC. That time is ambiguous when clocks are put back
 * and doesn't exist when they are put forward; then standard time is used, as in the hosted service.
 */
function toInstant(local: Date, zone: string): Date {
	const shown = local.getTime();
	const getZoneOffset = (time: number) => Date.UTC(...getUtcFields(new Date(time), zone)) - Math.floor(time / 1000) * 1000;
	const [before, after] = [getZoneOffset(shown - dayMs), getZoneOffset(shown + dayMs)];
	const fitting = [...new Set([before, after])].filter(candidate => getZoneOffset(shown - candidate) === candidate);
	const [only] = fitting;
	return new Date(shown - (only !== undefined && fitting.length === 1 ? only : Math.min(before, after)));
}

/** Returns a date with its weekday, for example 'Monday, January 5, 2026'. */
export const getWeekday: ToolFunction = ({ year, month, day }) => {
	const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
	if (Number.isNaN(date.getTime()) || date.getUTCMonth() !== Number(month) - 1) {
		throw new Error(`${toParameterText(year)}-${toParameterText(month)}-${toParameterText(day)} isn't a valid date`);
	}
	return { text: date.toLocaleDateString('en-US', { weekday: 'long', month: 'long', day: 'numeric', year: 'numeric', timeZone: 'UTC' }) };
};

type Fields = [year: number, month: number, day: number, hour: number, minute: number, second: number];

function getUtcFields(date: Date, timeZone: string): Fields {
	const part = getDateParts(date, timeZone);
	return [
		Number(part['year']),
		Number(part['month']) - 1,
		Number(part['day']),
		Number(part['hour']),
		Number(part['minute']),
		Number(part['second']),
	];
}

function getDateParts(date: Date, timeZone: string): Readonly<Record<string, string>> {
	try {
		const format = new Intl.DateTimeFormat('en-GB', {
			timeZone,
			hourCycle: 'h23',
			year: 'numeric',
			month: '2-digit',
			day: '2-digit',
			hour: '2-digit',
			minute: '2-digit',
			second: '2-digit',
			weekday: 'long',
			timeZoneName: 'longOffset',
		});
		return Object.fromEntries(format.formatToParts(date).map(({ type, value }) => [type, value]));
	} catch (cause) {
		throw new Error(`'${timeZone}' isn't a valid time zone`, { cause });
	}
}

const months = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];

/** Expands the commonly used directives of Python's strftime. */
function formatDate(date: Date, format: string, timeZone: string): string {
	const part = getDateParts(date, timeZone);
	const hour = Number(part['hour']);
	const month = months[Number(part['month']) - 1] ?? '';
	const weekdayName = part['weekday'] ?? '';
	const twelve = String(hour % 12 || 12).padStart(2, '0');
	const offset = (part['timeZoneName'] ?? '').replace('GMT', '').replace(':', '') || '+0000';
	const values: Readonly<Record<string, string | undefined>> = {
		Y: part['year'],
		m: part['month'],
		d: part['day'],
		H: part['hour'],
		M: part['minute'],
		S: part['second'],
		y: part['year']?.slice(-2),
		B: month,
		b: month.slice(0, 3),
		A: weekdayName,
		a: weekdayName.slice(0, 3),
		I: twelve,
		p: hour < 12 ? 'AM' : 'PM',
		Z: timeZone,
		z: offset,
		s: String(Math.floor(date.getTime() / 1000)),
		F: `${part['year']}-${part['month']}-${part['day']}`,
		T: `${part['hour']}:${part['minute']}:${part['second']}`,
		f: `${String(date.getUTCMilliseconds()).padStart(3, '0')}000`,
		'%': '%',
	};
	return format.replace(/%([A-Za-z%])/g, (whole, directive: string) => values[directive] ?? whole);
}

function toParameterText(value: unknown): string {
	return value === null || value === undefined ? '' : String(value);
}
