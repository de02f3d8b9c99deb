export default { handlers: { a: () => 'by default' } };
