import type { AppOfDeployment } from './difyTypes.ts';

/** A tree row of an app. */
interface AppRow {
	readonly of: AppOfDeployment;
}

/** Replaces tree rows of apps in a command's argument with their {@link AppOfDeployment}. Returns anything else unchanged. */
export function unwrapRows(argument: unknown): unknown {
	if (Array.isArray(argument)) {
		return argument.map(unwrapRows);
	}
	return isAppRow(argument) ? argument.of : argument;
}

/**
 * Returns the apps that a command is called for: all selected apps if the clicked app is one of them, otherwise only the clicked app.
 * Returns none if the command comes from the palette.
 */
export function getNamedApps(argument: unknown, selected?: unknown): readonly AppOfDeployment[] {
	const first = isAppOfDeployment(argument) ? argument : undefined;
	const others = Array.isArray(selected) ? selected.filter(isAppOfDeployment) : [];
	const isAmong = others.some(({ connectionId, app }) => connectionId === first?.connectionId && app.id === first.app.id);
	return isAmong ? others : first ? [first] : [];
}

function isAppRow(value: unknown): value is AppRow {
	return typeof value === 'object' && value !== null && 'of' in value && isAppOfDeployment(value.of);
}

function isAppOfDeployment(value: unknown): value is AppOfDeployment {
	return typeof value === 'object' && value !== null && 'connectionId' in value && 'app' in value;
}
