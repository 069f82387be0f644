/** Stands for anything: every member and every call of it gives it again, and nothing happens. It is no promise. */
// biome-ignore lint/suspicious/noExplicitAny: it stands for anything
export const inert: any = new Proxy(class {}, {
	get: (_target, name) => (name === 'then' ? undefined : name === Symbol.toPrimitive ? () => '' : inert),
	apply: () => inert,
	construct: () => inert,
	set: () => true,
});
