exports.start = () => {
	/* the extension host polls its parent itself, once a second */
};
