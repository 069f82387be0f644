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
	return isRow(argument) ? argument.of : argument;
}

/**
 * Returns the apps that a command is called for: all selected apps if the clicked app is one of them, otherwise only the clicked app.
 * Returns none if the command comes from the palette.
 */
export function getNamedApps(argument: unknown, selected?: unknown): readonly AppOfDeployment[] {
	const first = isApp(argument) ? argument : undefined;
	const others = Array.isArray(selected) ? selected.filter(isApp) : [];
	const isAmong = others.some(({ connectionId, app }) => connectionId === first?.connectionId && app.id === first.app.id);
	return isAmong ? others : first ? [first] : [];
}

function isRow(value: unknown): value is AppRow {
	return typeof value === 'object' && value !== null && 'of' in value && isApp(value.of);
}

function isApp(value: unknown): value is AppOfDeployment {
	return typeof value === 'object' && value !== null && 'connectionId' in value && 'app' in value;
}
