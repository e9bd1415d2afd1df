# Runs sitegen on the folder that is mounted at /work:
#   docker build --tag sitegen .
#   docker run --rm --user "$(id -u):$(id -g)" --volume "$PWD:/work" sitegen build
FROM python:3.11-slim
RUN apt-get update \
    && apt-get install --yes --no-install-recommends git \
    && rm -rf /var/lib/apt/lists/*
COPY . /src
RUN pip install --no-cache-dir --constraint /src/constraints.txt /src && rm -rf /src
# git refuses repositories of another user; the mounted folder is one in most cases.
RUN git config --system --add safe.directory /work
ENV HOME=/tmp
WORKDIR /work
ENTRYPOINT ["sitegen"]
CMD ["--help"]
