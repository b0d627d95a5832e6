# Gives the role of the service the password of the Secret `postgres`, if that has one. PostgreSQL's image sources this
# file once, behind roles.sql.
if [ -n "${QUIZ_PASSWORD:-}" ]; then
  psql --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" --set=password="$QUIZ_PASSWORD" \
    <<< "ALTER ROLE quiz PASSWORD :'password'"
fi
